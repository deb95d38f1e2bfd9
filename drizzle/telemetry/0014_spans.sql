DROP INDEX `rollup_crosses_unfolded`;--> statement-breakpoint
ALTER TABLE `rollup_crosses` ADD `settled` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `rollup_crosses_unsettled` ON `rollup_crosses` (`span_ms`,`folded`,`at_ms`) WHERE settled = 0;--> statement-breakpoint
DROP INDEX `rollup_parts_unfolded`;--> statement-breakpoint
ALTER TABLE `rollup_parts` ADD `settled` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `rollup_parts_unsettled` ON `rollup_parts` (`span_ms`,`folded`,`at_ms`) WHERE settled = 0;