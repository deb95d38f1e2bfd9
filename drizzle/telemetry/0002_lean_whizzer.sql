CREATE TABLE `quotas` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`account_id` text NOT NULL,
	`provider` text NOT NULL,
	`model` text,
	`window` text NOT NULL,
	`unit` text NOT NULL,
	`source` text NOT NULL,
	`quota_limit` real,
	`used` real,
	`remaining` real,
	`resets_at` integer,
	`fetched_at` integer NOT NULL,
	`paused` integer NOT NULL,
	`history` text NOT NULL
);
