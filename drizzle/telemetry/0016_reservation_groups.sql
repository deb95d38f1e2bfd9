CREATE TABLE `reservation_groups` (
	`id` integer PRIMARY KEY NOT NULL,
	`attempts` text NOT NULL
);
