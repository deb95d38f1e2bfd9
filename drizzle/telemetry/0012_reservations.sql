CREATE TABLE `reservations` (
	`attempt_id` text NOT NULL,
	`request_seq` integer,
	`position` integer NOT NULL,
	`request` text,
	`attempt` text NOT NULL
);
