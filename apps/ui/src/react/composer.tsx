// The message field. Enter sends, Shift+Enter adds a line. While the agent works, the button stops
// it.

import { type KeyboardEvent, useState } from "react";
import { Icon } from "./icon.tsx";

interface ComposerProps {
  readonly placeholder: string;
  readonly running: boolean;
  /** Why nothing can be sent; undefined if messages can be sent. */
  readonly blocked?: string | undefined;
  readonly onSend: (text: string) => void;
  readonly onStop: () => void;
}

export function Composer({ placeholder, running, blocked, onSend, onStop }: ComposerProps) {
  const [text, setText] = useState("");
  const wanted = text.trim();

  function send() {
    if (running || blocked !== undefined || wanted === "") return;
    onSend(wanted);
    setText("");
  }

  function press(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        className="composer-field"
        aria-label="Message to the agent"
        placeholder={blocked ?? placeholder}
        disabled={blocked !== undefined}
        rows={1}
        value={text}
        data-key-target="chat"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
      {running ? (
        <button type="button" className="button icon" aria-label="Stop" title="Stop" onClick={onStop}>
          <Icon name="stop" />
        </button>
      ) : (
        <button
          type="submit"
          className="button primary icon"
          aria-label="Send"
          title="Send (Enter)"
          disabled={wanted === ""}
        >
          <Icon name="send" />
        </button>
      )}
    </form>
  );
}
