// The page: the form of a new debate, or the debate in the address.

import { HomeLink } from "@opstate/ui/react/home-link.tsx";
import { SiteNav } from "@opstate/ui/react/site-nav.tsx";
import { randomId } from "@opstate/core/thread";
import { Suspense, useEffect, useState } from "react";
import type { Api, Topic } from "./api.ts";
import type { Drafts } from "./drafts.ts";
import { OpenDebate } from "./open-debate.tsx";
import { type DebateSession, startDebate } from "./room/room.ts";
import { StartForm } from "./start-form.tsx";
import { useDebateId } from "./use-debate-id.ts";

export function App({ api, drafts }: { api: Api; drafts: Drafts }) {
  const [id, goTo] = useDebateId();
  const [started, setStarted] = useState<DebateSession>();
  const model = useModelName(api);

  function start(topic: Topic) {
    const session = startDebate(api, randomId(), topic);
    setStarted(session);
    goTo(session.threadId);
  }

  return (
    <>
      <header className="header">
        <p className="brand">
          <HomeLink />
          <a className="crumb" href="#/">
            Debate
          </a>
        </p>
        <span className="push" />
        {id !== undefined && (
          <a className="button quiet small" href="#/">
            New debate
          </a>
        )}
        <SiteNav here="Debate" />
      </header>
      {id === undefined ? (
        <Suspense>
          <StartForm model={model} plan={drafts.plan} onStart={start} />
        </Suspense>
      ) : (
        <OpenDebate
          key={id}
          api={api}
          id={id}
          started={started?.threadId === id ? started : undefined}
          drafts={drafts}
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
