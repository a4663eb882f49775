/**
 * How long what a page shows in a moment may take on a machine that is busy with other things. It is looked at less
 * often than `expect.poll` would: each look is work for the browser that it waits for.
 */
export const PATIENCE = { timeout: 45_000, interval: 120 }
