// Reads the events of a response, one after the other.

export interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

export async function* eventsOf(response: Response): AsyncGenerator<StreamEvent, void> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split("\n");
      const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5));
      yield { name: lines.find((line) => line.startsWith("event: "))?.slice(7) ?? "", data: data.join("\n") };
    }
  }
}
