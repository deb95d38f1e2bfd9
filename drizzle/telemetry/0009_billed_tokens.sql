ALTER TABLE `attempts` ADD `billed_input` integer;--> statement-breakpoint
ALTER TABLE `attempts` ADD `billed_output` integer;