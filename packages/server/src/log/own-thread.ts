// The thread of a log that the servers on it have for themselves. No request names it: its id has a
// space. Lists leave it out.

export const REVOCATIONS_ID = "opstate revocations";
