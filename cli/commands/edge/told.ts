/** Says what is another thing than before: of a platform that is away for a day, that it is, and that it is back. */
export function told(say: (line: string) => void) {
  let last = ''
  return {
    report(what: string, message: string): void {
      const line = what === 'read' ? message : `${what}: ${message}`
      if (line !== last) say(line)
      last = what === 'read' ? '' : line
    },
    answered(): void {
      // What fails here, as a full disk does, is no other thing because the platform answers.
      if (!/^(?:away|refused):/.test(last)) return
      say('the platform answers again')
      last = ''
    },
  }
}
