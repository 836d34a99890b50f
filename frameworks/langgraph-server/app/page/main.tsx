import { createRoot } from "react-dom/client";
import { Board, client } from "./board-context.ts";
import { Cards } from "./cards.tsx";
import { Chat } from "./chat.tsx";

createRoot(document.getElementById("root")!).render(
  <Board.Provider client={client} threadId="launch">
    <Cards />
    <Chat />
  </Board.Provider>,
);
