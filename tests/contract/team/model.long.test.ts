import { teamModel } from './modelled.ts'

teamModel(60)
