import { Notice } from '../feedback/Notice.tsx'
import { isLoopback } from './loopback.ts'

/** Warns of lines to copy that hold an address which other machines do not reach. Nothing where they do. */
export function LoopbackNotice() {
  if (!isLoopback(window.location.hostname)) return null
  return (
    <Notice title="The address is that of this machine">
      The lines contain the address of your browser, {window.location.host}. Other machines cannot reach it: replace it
      with the name of the platform.
    </Notice>
  )
}
