// The page: the form of a new debate, or the debate in the address.

import { randomId } from "@opstate/core/thread";
import { useEffect, useState } from "react";
import type { Api, Topic } from "./api.ts";
import { Logo } from "./icons.tsx";
import { OpenDebate } from "./open-debate.tsx";
import { newRoom, type Room } from "./room/room.ts";
import { StartForm } from "./start-form.tsx";
import { useDebateId } from "./use-debate-id.ts";

export function App({ api }: { api: Api }) {
  const [id, goTo] = useDebateId();
  const [started, setStarted] = useState<Room>();
  const model = useModelName(api);

  function start(topic: Topic) {
    const room = newRoom(api, randomId(), topic);
    setStarted(room);
    room.begin();
    goTo(room.id);
  }

  return (
    <>
      <header className="header">
        <a className="brand" href="#/">
          <Logo />
          opstate
          <span className="crumb">Debate</span>
        </a>
        <span className="push" />
        {id !== undefined && (
          <a className="button quiet small" href="#/">
            New debate
          </a>
        )}
      </header>
      {id === undefined ? (
        <StartForm model={model} onStart={start} />
      ) : (
        <OpenDebate
          key={id}
          api={api}
          id={id}
          started={started?.id === id ? started : undefined}
          onNew={() => goTo(undefined)}
        />
      )}
    </>
  );
}

function useModelName(api: Api): string {
  const [name, setName] = useState("\u00a0");
  useEffect(() => {
    api.modelName().then(
      ({ name, offline }) => setName(offline ? "Offline model: rules, no network" : name),
      // The name is only a label. A problem with the server shows when a debate is started.
      () => setName("\u00a0"),
    );
  }, [api]);
  return name;
}
