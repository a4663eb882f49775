import type { Logger } from 'pino'
import { openIdIssuer } from '../../../connectors/oidc/issuer.ts'
import { mappingFile } from '../../../connectors/oidc/mapping-file.ts'
import type { SingleSignOn } from '../../../connectors/oidc/port.ts'
import type { Config } from '../../../platform/config.ts'

/**
 * The configured issuer, which nothing is asked of before somebody signs in; null: none.
 * @throws an Error that names the mapping file when it is broken
 */
export function openSingleSignOn({ oidc }: Pick<Config, 'oidc'>, logger: Logger): SingleSignOn | null {
  if (oidc === null) return null
  const onBroken = (reason: string): void =>
    logger.error({ reason, path: oidc.mappingFile }, 'the mapping file is not valid; the last valid rules still apply')
  return {
    issuer: openIdIssuer(oidc),
    mapping: mappingFile(oidc.mappingFile, onBroken),
    secure: oidc.redirectUri.startsWith('https:'),
  }
}
