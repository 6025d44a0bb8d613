import type { Routes } from '../../face';
import { outlinePages } from './outline';
import { runPages } from './run';
import { runsPages } from './runs';
import { schedulePages } from './schedules';
import { startPages } from './start';

/** What people look at. None of it is in the document for services. */
export const PAGES: readonly Routes[] = [runsPages, runPages, outlinePages, startPages, schedulePages];
