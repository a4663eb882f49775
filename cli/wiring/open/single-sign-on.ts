import type { Logger } from 'pino'
import type { SingleSignOn } from '../../../connectors/oidc/port.ts'
import type { Config } from '../../../platform/config.ts'

/**
 * The configured issuer, which nothing is asked of before somebody signs in; null: none, and no library for one is loaded.
 * @throws an Error that names the mapping file when it is broken
 */
export async function openSingleSignOn({ oidc }: Pick<Config, 'oidc'>, logger: Logger): Promise<SingleSignOn | null> {
  if (oidc === null) return null
  const { openIdIssuer } = await import('../../../connectors/oidc/issuer.ts')
  const { mappingFile } = await import('../../../connectors/oidc/mapping-file.ts')
  const onBroken = (reason: string): void =>
    logger.error({ reason, path: oidc.mappingFile }, 'the mapping file is not valid; the last valid rules still apply')
  return {
    issuer: openIdIssuer(oidc),
    mapping: mappingFile(oidc.mappingFile, onBroken),
    secure: oidc.redirectUri.startsWith('https:'),
  }
}
