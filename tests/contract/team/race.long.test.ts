import { teamRaces } from './races.ts'

teamRaces({ random: 1000, owners: 300, scenes: 40 })
