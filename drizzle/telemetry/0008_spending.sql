CREATE TABLE `spend_clock` (
	`id` integer PRIMARY KEY NOT NULL,
	`highest_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `spend_counters` (
	`name` text NOT NULL,
	`start_ms` integer NOT NULL,
	`counts_until_ms` integer NOT NULL,
	`cost_nano` integer DEFAULT 0 NOT NULL,
	`tokens` integer DEFAULT 0 NOT NULL,
	`requests` integer DEFAULT 0 NOT NULL,
	`crossed` real,
	`crossed_at_ms` integer,
	PRIMARY KEY(`name`, `start_ms`)
);
--> statement-breakpoint
CREATE TABLE `spend_rules` (
	`rule_id` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`shape` text NOT NULL,
	`name` text NOT NULL,
	`filled` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `attempts` ADD `reserved_nano` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `attempts` ADD `reserved_input` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `attempts` ADD `reserved_output` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `attempts` ADD `counters` text;