/** Who may be spoken to, and from where: a page of a stranger reaches no platform on loopback by a name of its own (DNS rebinding). */

import { ApiError } from '../../http/errors.ts'

type Sdk = Pick<
  typeof import('@modelcontextprotocol/server'),
  'validateHostHeader' | 'validateOriginHeader' | 'localhostAllowedHostnames'
>

/**
 * A check of the headers `Host` and `Origin`: names of loopback and the host of `url`, with any port. No `Origin` is fine:
 * programs have none. Throws 403.
 */
export function allowedPlace(sdk: Sdk, url: string): (host: string | undefined, origin: string | undefined) => void {
  const names = [...sdk.localhostAllowedHostnames(), new URL(url).hostname]
  return (host, origin) => {
    if (!sdk.validateHostHeader(host, names).ok)
      throw new ApiError('forbidden', {
        message: 'the header host does not match the address of this platform (HARRIER_URL)',
      })
    if (!sdk.validateOriginHeader(origin, names).ok)
      throw new ApiError('forbidden', {
        message: 'the header origin does not match the address of this platform (HARRIER_URL)',
      })
  }
}
