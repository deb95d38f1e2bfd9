CREATE TABLE `price_files` (
	`id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`fetched_at` integer NOT NULL,
	`providers` text NOT NULL
);
