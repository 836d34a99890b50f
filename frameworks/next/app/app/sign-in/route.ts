import { cookies } from "next/headers";
import { redirect } from "next/navigation";

// In place of your own: /sign-in?user=ada
export async function GET(request: Request) {
  const user = new URL(request.url).searchParams.get("user") ?? "ada";
  (await cookies()).set("user", user, { httpOnly: true });
  redirect("/boards/launch");
}
