// Compares two pages: their elements and their pixels.

import type { Page } from "playwright/test";

/**
 * The page's elements as indented lines, with their attributes and texts. Ids that a framework
 * makes up are numbered by their order.
 */
export function elementsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const refers = new Set(["id", "for", "name", "aria-controls", "aria-labelledby", "aria-describedby"]);
    // Input values are compared by pixels: frameworks keep them in attributes or not.
    const inner = new Set(["value", "checked"]);
    const numbers = new Map<string, string>();
    const lines: string[] = [];
    const numbered = (id: string): string => {
      const known = numbers.get(id) ?? `#${numbers.size}`;
      numbers.set(id, known);
      return known;
    };
    const walk = (element: Element, depth: number): void => {
      const attributes = [...element.attributes]
        .filter(({ name }) => !inner.has(name))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(
          ({ name, value }) =>
            `${name}=${JSON.stringify(refers.has(name) ? value.split(" ").map(numbered).join(" ") : value)}`,
        );
      lines.push(`${"  ".repeat(depth)}${[element.localName, ...attributes].join(" ")}`);
      if (element.localName === "textarea") return;
      let text = "";
      const endText = () => {
        const words = text.replace(/\s+/g, " ").trim();
        if (words !== "") lines.push(`${"  ".repeat(depth + 1)}${JSON.stringify(words)}`);
        text = "";
      };
      for (const child of element.childNodes) {
        if (child instanceof Text) text += child.data;
        else if (child instanceof Element) {
          endText();
          walk(child, depth + 1);
        }
      }
      endText();
    };
    for (const child of document.body.children) if (!child.matches("script, noscript")) walk(child, 0);
    return lines;
  });
}

/** How many pixels of two screenshots differ, and where. */
export async function pixelsApart(page: Page, one: Buffer, other: Buffer): Promise<{ pixels: number; where?: string }> {
  if (one.equals(other)) return { pixels: 0 };
  return page.evaluate(
    async (images) => {
      const [a, b] = await Promise.all(
        images.map(async (base64) => {
          const bitmap = await createImageBitmap(
            new Blob([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))]),
          );
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
          const context = canvas.getContext("2d");
          context?.drawImage(bitmap, 0, 0);
          return context?.getImageData(0, 0, bitmap.width, bitmap.height);
        }),
      );
      if (!a || !b || a.width !== b.width || a.height !== b.height)
        return { pixels: Infinity, where: "they are not of one size" };
      const apart: { x: number; y: number }[] = [];
      const [left, right] = [new Uint32Array(a.data.buffer), new Uint32Array(b.data.buffer)];
      left.forEach((pixel, index) => {
        if (pixel !== right[index]) apart.push({ x: index % a.width, y: Math.floor(index / a.width) });
      });
      const [xs, ys] = [apart.map(({ x }) => x), apart.map(({ y }) => y)];
      const range = (values: number[]) =>
        `${values.reduce((least, value) => Math.min(least, value), Infinity)} to ${values.reduce((most, value) => Math.max(most, value), 0)}`;
      return apart.length === 0 ? { pixels: 0 } : { pixels: apart.length, where: `x ${range(xs)}, y ${range(ys)}` };
    },
    [one.toString("base64"), other.toString("base64")],
  );
}
