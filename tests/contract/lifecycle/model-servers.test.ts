import { longer } from '../../builders/platform/longer.ts'
import { lifecycleOnServers } from './modelled-servers.ts'

lifecycleOnServers(longer(8))
