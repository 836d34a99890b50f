/** A number as a table shows it: two digits, or all of them from 100 on. */
export function digits(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(2)));
}
