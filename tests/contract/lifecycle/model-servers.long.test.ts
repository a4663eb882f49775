import { lifecycleOnServers } from './modelled-servers.ts'

lifecycleOnServers(100)
