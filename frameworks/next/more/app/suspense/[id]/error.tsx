"use client";

export default function Failed({ error }: { error: Error & { readonly status?: number } }) {
  return (
    <p role="alert">
      {error.status}: {error.message}
    </p>
  );
}
