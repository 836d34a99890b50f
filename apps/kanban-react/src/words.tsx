// A sentence about the board. Ids stay whole where a line breaks: "T-42", never "T-" and "42".

export function Words({ children }: { children: string }) {
  // Odd parts are the ids.
  return children.split(/([A-Za-z]+-\d+)/).map((part, index) =>
    index % 2 === 1 ? (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of one sentence have no other identity
      <span key={index} className="whole">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
