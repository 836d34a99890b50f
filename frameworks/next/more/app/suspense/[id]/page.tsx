import { Waiting } from "./waiting.tsx";

/** Without `initial`. */
export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <Waiting threadId={(await params).id} />;
}
