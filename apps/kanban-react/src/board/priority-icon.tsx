// A priority as signal bars: priority 1 fills all four.

export function PriorityIcon({ priority }: { priority: number }) {
  return (
    <svg width="14" height="12" viewBox="0 0 14 12" aria-hidden="true">
      {[0, 1, 2, 3].map((bar) => (
        <rect
          key={bar}
          x={bar * 3.5}
          y={9 - bar * 3}
          width="2.500"
          height={3 + bar * 3}
          rx="0.750"
          fill="currentColor"
          opacity={bar <= 4 - priority ? 1 : 0.28}
        />
      ))}
    </svg>
  );
}
