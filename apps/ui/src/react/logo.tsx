// The logo: a person and an agent who share a state.

export function Logo() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="7" cy="10" r="5" fill="var(--human)" />
      <path d="m13.500 4.500 5.500 5.500-5.500 5.500L8 10z" fill="var(--agent)" fillOpacity="0.850" />
    </svg>
  );
}
