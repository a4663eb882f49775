import { teamRaces } from './races.ts'

teamRaces({ random: 150, owners: 50, scenes: 8 })
