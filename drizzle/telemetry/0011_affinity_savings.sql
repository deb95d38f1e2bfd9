ALTER TABLE `requests` ADD `saved_affinity_nano` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `rollup_course` ADD `saved_affinity_nano` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `rollup_crosses` ADD `saved_affinity_nano` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `rollup_parts` ADD `saved_affinity_nano` integer DEFAULT 0 NOT NULL;