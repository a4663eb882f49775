/** How long what a page shows in a moment may take on a machine that is busy with other things. */
export const PATIENCE = { timeout: 45_000 }
