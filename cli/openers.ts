import type { DoctorOptions } from './commands/doctor/register.ts'
import { loadCheckedConfig, loadExisting } from './wiring/open/folder.ts'

/**
 * What the commands work on, as functions that open it. Each loads its modules when it is called: together they are
 * 2,900 modules, of which a command needs a few hundred (ADR 281).
 */
export function openers(env: NodeJS.ProcessEnv) {
  const config = () => loadCheckedConfig(env)
  const withLog = () => loadExisting(env, 'log')
  const withHistory = () => loadExisting(env, 'history')
  const withBoth = () => loadExisting(env, 'log', 'history')
  return {
    asked: async () => (await import('./commands/admin/context.ts')).openAsked(config(), env, process.cwd()),
    audit: async () => (await import('./commands/contexts/audit-context.ts')).openAuditTopic(withLog()),
    chosen: async () => (await import('./commands/contexts/chosen-context.ts')).openChosen(withHistory()),
    counts: async () => (await import('./commands/contexts/counts-context.ts')).openCounts(withBoth()),
    deadLetters: async () => (await import('./commands/contexts/dead-letters.ts')).openDeadLetters(withLog()),
    demo: async () => (await import('./commands/contexts/demo-context.ts')).openDemoContext(config()),
    downloads: async () => (await import('./commands/admin/context.ts')).openDownloads(config(), env, process.cwd()),
    doctor: async (options: DoctorOptions) =>
      (await import('./commands/contexts/doctor.ts')).openDoctor(config(), options),
    feedImport: async () => (await import('./commands/contexts/feed-import.ts')).openFeedImport(config()),
    feedList: async () => (await import('./commands/contexts/feed-list.ts')).openFeedList(withLog()),
    feedRetract: async () => (await import('./commands/contexts/feed-retract.ts')).openFeedRetract(withBoth()),
    feedVerify: async () => (await import('./commands/contexts/feed-verify.ts')).openFeedVerify(withHistory()),
    init: async () => {
      const { dataDir } = config()
      return {
        ...(await (await import('./commands/admin/context.ts')).openPlatform(config(), env, process.cwd())),
        dataDir,
      }
    },
    lookupIndex: async () => (await import('./commands/contexts/lookup-index.ts')).openLookupIndex(withBoth()),
    logTools: async () => (await import('./commands/contexts/log-tools.ts')).openLogTools(withLog()),
    platform: async () => (await import('./commands/admin/context.ts')).openPlatform(config(), env, process.cwd()),
    replay: async () => (await import('./commands/replay/context.ts')).openReplay(withBoth()),
    rescore: async () => (await import('./commands/rescore/rescore-context.ts')).openRescore(withBoth()),
    url: () => config().url,
    server: async () => (await import('./commands/admin/context.ts')).openServer(config(), env, process.cwd()),
    sqlUsers: async () => (await import('./wiring/open/sql-users.ts')).openSqlUsers(config()),
  }
}
