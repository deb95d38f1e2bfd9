CREATE TABLE `plan_skills` (
	`plan_id` text NOT NULL,
	`skill_id` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`plan_id`, `skill_id`),
	FOREIGN KEY (`plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`skill_id`) REFERENCES `skills`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `plan_skills_skill` ON `plan_skills` (`skill_id`);--> statement-breakpoint
CREATE TABLE `plans` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`is_default` integer NOT NULL,
	`limits` text NOT NULL,
	`models_allow` text NOT NULL,
	`models_deny` text NOT NULL,
	`endpoints_allow` text NOT NULL,
	`default_model` text,
	`chain_id` text,
	`priority` integer NOT NULL,
	FOREIGN KEY (`chain_id`) REFERENCES `chains`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `plans_name_unique` ON `plans` (`name`);--> statement-breakpoint
ALTER TABLE `keys` ADD `plan_id` text REFERENCES plans(id);--> statement-breakpoint
ALTER TABLE `keys` ADD `limits` text;--> statement-breakpoint
ALTER TABLE `keys` ADD `account_ids` text;