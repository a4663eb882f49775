import { onOnePlatform } from '../../builders/platform/shared.ts'
import { tiersWith } from '../../builders/platform/tiers.ts'
import { events, TELEMETRY_TIERS } from './telemetry/events.ts'
import { lookupCommand } from './telemetry/lookup-command.ts'
import { matches } from './telemetry/matches.ts'

onOnePlatform({ matches, 'the command lookup': lookupCommand, events }, (place) => tiersWith(place, TELEMETRY_TIERS))
