CREATE TABLE `contents` (
	`request_id` text PRIMARY KEY NOT NULL,
	`at_ms` integer NOT NULL,
	`bytes` integer NOT NULL,
	`sealed` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `contents_at` ON `contents` (`at_ms`);