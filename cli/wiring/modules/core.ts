import { propagationStore } from '../../../connectors/history/stores/propagation-store.ts'
import type { Written } from '../../../pipelines/runtime/unwritten.ts'
import { watchMarks } from '../../../pipelines/runtime/watch-marks.ts'
import { openAppend } from '../background/outbox-relay.ts'
import { logAvailability } from '../open/availability.ts'
import { openDatabase } from '../open/database.ts'
import { openMailer } from '../open/mailer.ts'
import { openAudit, recordedAhead } from '../open/open-audit.ts'
import { openAnswers, writtenIn } from '../open/open-history.ts'
import { openLog } from '../open/open-log.ts'
import { openRegistry } from '../open/registry.ts'
import { readTiers } from '../open/tiers.ts'
import type { Core } from './module.ts'

/**
 * What every module is opened over, open and migrated, in parallel: the first start of each store takes a second or two.
 * `open` closes them.
 * @param historyAt called with the address of the history store once it is open
 * @param onLost told of consumers of the log that begin anew
 */
export async function openCore(
  given: Pick<Core, 'config' | 'open' | 'metrics' | 'logger'>,
  historyAt: () => Promise<string>,
  onLost: Parameters<typeof openLog>[1],
): Promise<Core> {
  const { config, open, logger } = given
  const tiers = readTiers(config.tiersFile)
  let written: Written | undefined
  async function answers() {
    const clickhouseUrl = await historyAt()
    written = writtenIn(clickhouseUrl)
    return openAnswers({ ...config, clickhouseUrl }, logAvailability(logger))
  }
  const opening = [
    open.later('history', answers()),
    open.later('log', openLog(config, onLost)),
    open.later('registry', openRegistry(config)),
    open.later('accounts', openDatabase(config, logger)),
  ] as const
  // What opens beside one that fails is closed too.
  await Promise.allSettled(opening)
  const [history, log, registry, database] = await Promise.all(opening)
  const onFailure = (err: Error) => logger.warn({ err }, 'cannot read covering well-known marks; retrying')
  const marks = await watchMarks(propagationStore(history), { onFailure, written })
  open.push('marks', () => marks.stop())
  const audit = openAudit(database.db, log, registry.ids.audit, logger)
  open.push('audit records', () => audit.writer.close())
  return {
    ...given,
    log,
    recorded: recordedAhead(log, audit.writer),
    registry,
    history,
    marks,
    database,
    audit,
    append: openAppend(registry.ids.lifecycle),
    mailer: openMailer(config, logger),
    tiers,
  }
}
