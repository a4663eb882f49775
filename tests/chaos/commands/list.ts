import { audit } from './audit.ts'
import { brokerKills } from './broker-kills.ts'
import { clockJumps } from './clock-jumps.ts'
import { diskFull } from './disk-full.ts'
import { kills } from './kills.ts'
import { killsInside } from './kills-inside.ts'
import { match } from './match.ts'
import { races } from './races.ts'
import { rebalance } from './rebalance.ts'
import { replayTwice } from './replay-twice.ts'
import { sigterm } from './sigterm.ts'
import { soak } from './soak.ts'
import { storeAway } from './store-away.ts'
import { streams } from './streams.ts'

/** Every command by its name. */
export const commands = {
  'store-away': storeAway,
  'broker-kills': brokerKills,
  races,
  rebalance,
  'disk-full': diskFull,
  'clock-jumps': clockJumps,
  kills,
  'kills-inside': killsInside,
  sigterm,
  'replay-twice': replayTwice,
  soak,
  streams,
  match,
  audit,
}
