import { teamRaces } from './races.ts'

teamRaces({ random: 60, owners: 20, scenes: 4 })
