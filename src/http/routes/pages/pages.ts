import type { Routes } from '../../face';
import { outlinePages } from './outline';
import { runPages } from './run';
import { runsPages } from './runs';
import { sessionPages } from './session';
import { startPages } from './start';

/** What people look at. None of it is in the document for services. */
export const PAGES: readonly Routes[] = [sessionPages, runsPages, runPages, outlinePages, startPages];
