import type { Logger } from 'pino'

type Close = () => Promise<unknown>

/** What has been opened, to be closed in the opposite order; one that fails to close does not keep the others open. */
export function closing(logger: Logger) {
  const opened: { name: string; close: Close }[] = []
  const push = (name: string, close: Close): void => void opened.push({ name, close })
  return {
    push,
    /** A part that is being opened, to be closed once it is open. */
    async later<Part extends { close: Close }>(name: string, opening: Promise<Part>): Promise<Part> {
      const part = await opening
      push(name, () => part.close())
      return part
    },
    async closeAll(): Promise<void> {
      for (const { name, close } of opened.reverse()) {
        try {
          await close()
        } catch (err) {
          logger.error({ err, part: name }, 'a component could not be closed')
        }
      }
    },
  }
}
