import { readSnapshot } from "../../../snapshot.ts";
import { BoardPage } from "./board-page.tsx";

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <BoardPage threadId={id} initial={await readSnapshot(id)} />;
}
