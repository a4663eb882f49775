/** Sends a message to the parent that started this process. One that has ended is no error: this process stops for it too. */
export const tellParent = (message: unknown): void => void process.send?.(message, () => undefined)
