import { lifecycleModel } from './modelled.ts'

lifecycleModel(250)
