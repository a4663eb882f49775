/** 128 and the number of SIGPIPE: what a shell says of a program whose reader has ended. */
const BROKEN_PIPE = 141

type Stream = { on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown }

/**
 * Ends the process when what it prints cannot be written any more. Where the reader of a pipe has ended (`| head`) that is
 * no fault, and nothing is said, as of every program that SIGPIPE ends; Node ignores that signal. Anything else, such as a
 * full disk, is said in one line, with exit code 1.
 * @param end ends the process with an exit code
 */
export function endWithOutput(
  { stdout, stderr }: { stdout: Stream; stderr: Stream & { write(text: string): unknown } },
  end: (exitCode: number) => void,
): void {
  stdout.on('error', ({ code, message }) => {
    if (code === 'EPIPE') return end(BROKEN_PIPE)
    stderr.write(`harrier: the output cannot be written: ${message}\n`)
    end(1)
  })
  stderr.on('error', ({ code }) => end(code === 'EPIPE' ? BROKEN_PIPE : 1))
}

/**
 * Resolves when what was printed last is written, or was found to be impossible to write, and `endWithOutput` has ended the
 * process: files and pipes are written at once, and their errors come a tick later.
 */
export const outputWritten = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
