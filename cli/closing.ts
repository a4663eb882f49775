import type { Logger } from 'pino'

type Close = () => Promise<unknown>

/** What has been opened, to be closed in the opposite order; one that fails to close does not keep the others open. */
export function closing(logger: Logger) {
  const opened: { name: string; close: Close }[] = []
  return {
    push: (name: string, close: Close): void => void opened.push({ name, close }),
    async closeAll(): Promise<void> {
      for (const { name, close } of opened.reverse()) {
        try {
          await close()
        } catch (err) {
          logger.error({ err, part: name }, 'a part could not be closed')
        }
      }
    },
  }
}
