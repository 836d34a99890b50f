export default function Loading() {
  return <p>Opening the board</p>;
}
