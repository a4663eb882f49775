import { execFileSync } from 'node:child_process'

/** Runs a command where process numbers begin at 1, with a /proc of its own, as in another container. */
export const UNSHARE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']

/** Whether this user may do so; root and most users may. */
export const mayUnshare = (): boolean => {
  try {
    execFileSync(UNSHARE[0]!, [...UNSHARE.slice(1), 'true'], { stdio: 'ignore' })
    return true
  } catch {
    console.log('skipped: this user may not make a PID namespace')
    return false
  }
}
