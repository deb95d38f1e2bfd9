CREATE TABLE `capability_overrides` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`provider` text NOT NULL,
	`model` text NOT NULL,
	`sheet` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `capability_overrides_provider` ON `capability_overrides` (`provider`);