import { indicatorSource } from '../../../connectors/history/match/indicators.ts'
import { matchStore } from '../../../connectors/history/match/match-store.ts'
import { observationStore } from '../../../connectors/history/stores/observations.ts'
import { logMatchSettings } from '../../../connectors/operations/match-settings/settings.ts'
import { MATCH_READS, matchJob } from '../../../pipelines/jobs/match/match-job.ts'
import { feedTable } from '../../../pipelines/runtime/feed-table.ts'
import type { Job } from '../../../pipelines/runtime/job.ts'
import { pause } from '../../../platform/pause.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { rulesIn } from '../../../schemas/intelligence/scoring/rules.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import type { MatchRecord } from '../../../schemas/match/match.ts'
import { modeOf, openGenerations, writtenIn } from '../open/open-history.ts'
import { led } from './leader-only.ts'
import type { FollowParts, RunningFollower } from './start.ts'

/** Matches telemetry until stopped. On Kafka any number of processes wait for it, and one does it (ADR 219). */
export function startMatch(parts: FollowParts): Promise<RunningFollower> {
  const job = matchTelemetry(parts)
  return parts.breakers.consume(job, job.eachBatch)
}

const matchTelemetry = (parts: FollowParts): Job =>
  led(MATCH_READS, parts.logger, { does: 'matches telemetry', may: 'match telemetry' }, () => begin(parts))

function begin({ log, registry, home, config, breakers, stored, report, logger }: FollowParts) {
  const { clickhouseUrl: url } = config
  const generations = openGenerations(home, url, config.clickhouseCluster)
  const ending = new AbortController()

  async function live() {
    const { database, rules } = await generations.current(ending.signal)
    const history = home.at(database)
    return {
      generation: database,
      rules: rulesIn(rules),
      rows: observationStore(history),
      indicators: indicatorSource(history),
    }
  }

  const job = matchJob(
    {
      log,
      registry,
      live,
      stored,
      written: writtenIn(url),
      settings: logMatchSettings(log),
      producers: feedTable(log, registry),
      store: matchStore(home, modeOf(config.clickhouseCluster)),
      encodeMatch: encoder<MatchRecord>(records.match, registry.ids.match),
      encodeObservation: encoder<Observation>(records.observation, registry.ids.observation),
      breaker: breakers.breakerOf(MATCH_READS.group),
    },
    {
      now: Date.now,
      pause,
      signal: ending.signal,
      report: (news) => report({ match: news }),
      onFailure: (what, err) => logger.warn({ err }, what),
    },
  )
  return {
    job,
    async end() {
      ending.abort()
      await job.stopped()
    },
  }
}
