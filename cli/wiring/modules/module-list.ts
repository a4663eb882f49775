import { accountsModule } from './accounts-module.ts'
import { caseworkModule } from './casework-module.ts'
import { exchangeModule } from './exchange.ts'
import { feedsOutModule } from './feeds-out.ts'
import { intelligenceModule } from './intelligence.ts'
import { lifecycleModule } from './lifecycle-module.ts'
import { limitsModule } from './limits-module.ts'
import { liveModule } from './live-module.ts'
import { matchModule } from './match-module.ts'
import { type Core, type Module, startWorkers } from './module.ts'
import { operationModule } from './operation-module.ts'
import { planModule } from './plan-module.ts'
import { scansModule } from './scans-module.ts'

export type OpenModules = Awaited<ReturnType<typeof openModules>>

/** Every module of a process that serves the API, over its open stores. */
export async function openModules(core: Core) {
  const accounts = await accountsModule(core)
  const plan = await planModule(core)
  const limits = limitsModule(core)
  const live = liveModule(core)
  const intelligence = await intelligenceModule(core)
  const operation = operationModule(core)
  const lifecycle = lifecycleModule(core, { ...plan, forget: accounts.forget })
  const scans = scansModule(core, operation.wakeRelay)
  const feedsOut = await feedsOutModule(core)
  const exchange = exchangeModule(core)
  const match = matchModule(core)
  const casework = caseworkModule(core)
  // Workers start in this order, and stop in the opposite one.
  const list: readonly Module[] = [
    operation,
    lifecycle,
    scans,
    plan,
    feedsOut,
    casework,
    accounts,
    limits,
    live,
    intelligence,
    exchange,
    match,
  ]
  return {
    api: {
      ...accounts.api,
      ...plan.api,
      ...limits.api,
      ...live.api,
      ...intelligence.api,
      ...operation.api,
      ...lifecycle.api,
      ...scans.api,
      ...feedsOut.api,
      ...exchange.api,
      ...match.api,
      ...casework.api,
    },
    administrator: accounts.administrator,
    measures: (now: number) => list.flatMap(({ measures }) => measures?.(now) ?? []),
    /** Starts what runs beside the API; all of it in the process of `up`. */
    start: ({ all }: { all: boolean }) =>
      startWorkers(
        list.flatMap(({ workers }) => workers ?? []).filter(({ withApi }) => all || withApi),
        core.open,
      ),
  }
}
