ALTER TABLE `custom_providers` ADD `regions` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `custom_providers` ADD `data_policy` text DEFAULT '{}' NOT NULL;